import java.net.InetSocketAddress;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.SecurityHandler;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.DigestAuthenticator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.security.Credential;

/**
 * A service that requires Digest, implemented by Jetty. Prints its port, and ends with its standard input.
 *
 * Arguments: how often a nonce may be used. Keys: environment variables PUBLIC_KEY and PRIVATE_KEY.
 */
public class DigestService {
  public static void main(String[] args) throws Exception {
    UserStore users = new UserStore();
    users.addUser(
        System.getenv("PUBLIC_KEY"), Credential.getCredential(System.getenv("PRIVATE_KEY")), new String[] {"key"});
    HashLoginService login = new HashLoginService("MMS Public API");
    login.setUserStore(users);

    DigestAuthenticator digest = new DigestAuthenticator();
    digest.setMaxNonceCount(Integer.parseInt(args[0]));

    SecurityHandler.PathMapped security = new SecurityHandler.PathMapped();
    security.put("/*", Constraint.ANY_USER);
    security.setLoginService(login);
    security.setAuthenticator(digest);
    security.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            Content.Sink.write(response, true, "{}", callback);
            return true;
          }
        });

    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(security);
    server.start();
    System.out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
    while (System.in.read() >= 0) {}
    server.stop();
  }
}
