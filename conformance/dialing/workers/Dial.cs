// Request strings with HttpWebRequest.
using System;
using System.IO;
using System.Net;
using System.Text;

static class Dial {
  static void Main() {
    var input = new StreamReader(Console.OpenStandardInput(), Encoding.ASCII);
    // A name in the cache would not be looked up again.
    ServicePointManager.DnsRefreshTimeout = 0;
    string line;
    while ((line = input.ReadLine()) != null) {
      var octets = new byte[line.Length / 2];
      for (var i = 0; i < octets.Length; i++)
        octets[i] = Convert.ToByte(line.Substring(2 * i + 1, 2), 16);
      try {
        var uri = new Uri(Encoding.UTF8.GetString(octets), UriKind.Absolute);
        // Other schemes open files, for example.
        if (uri.Scheme == "http" || uri.Scheme == "https") {
          var request = (HttpWebRequest)WebRequest.Create(uri);
          request.Proxy = null;
          request.Timeout = 10000;
          request.GetResponse().Close();
        }
      } catch (Exception) {
        // Every request fails, because every connection is refused.
      }
      Console.WriteLine();
    }
  }
}
