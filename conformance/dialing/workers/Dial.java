// Request strings with HttpClient ("URI") or with URLConnection ("URL"). It needs Java 17.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.util.HexFormat;

class Dial {
  @SuppressWarnings("deprecation")
  static void request(String kind, HttpClient client, String text) throws Exception {
    if (kind.equals("URI")) {
      var request = HttpRequest.newBuilder(new URI(text)).build();
      client.send(request, HttpResponse.BodyHandlers.discarding());
    } else {
      var url = new URL(text);
      // Other protocols open files, for example.
      if (url.getProtocol().startsWith("http")) url.openConnection(Proxy.NO_PROXY).connect();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Security.setProperty("networkaddress.cache.ttl", "0");
    Security.setProperty("networkaddress.cache.negative.ttl", "0");
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    String line;
    while ((line = input.readLine()) != null) {
      var octets = HexFormat.of().parseHex(line.substring(1));
      try {
        request(arguments[0], client, new String(octets, StandardCharsets.UTF_8));
      } catch (Exception refused) {
        // Every request fails, because every connection is refused.
      }
      System.out.println();
    }
    System.exit(0);
  }
}
