package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.opsmanager.Provider;
import com.pulumi.opsmanager.ProviderArgs;
import com.pulumi.opsmanager.Project;
import com.pulumi.opsmanager.ProjectArgs;
import com.pulumi.resources.CustomResourceOptions;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Paths;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var emeaBaseUrl = config.get("emeaBaseUrl").orElse("https://ops-manager.emea.example.com:8443");
        final var emeaPublicKey = config.require("emeaPublicKey");
        final var emeaPrivateKey = config.requireSecret("emeaPrivateKey");
        var emea = new Provider("emea", ProviderArgs.builder()
            .baseUrl(emeaBaseUrl)
            .publicKey(emeaPublicKey)
            .privateKey(emeaPrivateKey)
            .build());

        var payments = new Project("payments", ProjectArgs.builder()
            .orgId("5f0000000000000000000001")
            .name("payments")
            .build(), CustomResourceOptions.builder()
                .provider(emea)
                .build());

    }
}
