// Print the hosts that Java sees; readers.py describes its input and output.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class Hosts {
  interface Parser {
    String host(String text) throws URISyntaxException, MalformedURLException;
  }

  static String answer(Parser parser, String text) {
    try {
      var host = parser.host(text);
      var octets = (host == null ? "" : host).getBytes(StandardCharsets.UTF_8);
      return "=" + HexFormat.of().formatHex(octets);
    } catch (URISyntaxException | MalformedURLException refused) {
      return "-";
    }
  }

  public static void main(String[] arguments) {
    var answers = new StringBuilder();
    for (var line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      var text = new String(HexFormat.of().parseHex(line), StandardCharsets.UTF_8);
      answers.append(answer(t -> new URI(t).getHost(), text)).append(' ');
      answers.append(answer(t -> new URL(t).getHost(), text)).append('\n');
    }
    System.out.print(answers);
  }
}
