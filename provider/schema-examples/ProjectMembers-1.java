package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Either;
import com.pulumi.core.Output;
import com.pulumi.opsmanager.ProjectMembers;
import com.pulumi.opsmanager.ProjectMembersArgs;
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
        var people = new ProjectMembers("people", ProjectMembersArgs.builder()
            .projectId("5f0000000000000000000002")
            .members(Map.of(
                "ada@example.com", List.of(Either.ofLeft("GROUP_OWNER")),
                "bob@example.com", List.of(
                    Either.ofLeft("GROUP_READ_ONLY"),
                    Either.ofLeft("GROUP_DATA_ACCESS_READ_ONLY"))))
            .ignoreUsers("svc-*@example.com")
            .maxRemovals(2)
            .build());

        ctx.export("details", people.memberDetails());
    }
}
