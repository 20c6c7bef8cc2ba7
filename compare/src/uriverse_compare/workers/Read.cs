// Read strings with System.Uri; _programs.py describes the input and the output.
using System;
using System.IO;
using System.Text;

static class Read {
  static string Hex(string text) {
    return BitConverter.ToString(Encoding.UTF8.GetBytes(text)).Replace("-", "").ToLower();
  }

  static string Field(string name, string value) {
    return value == null ? "" : " " + name + "=" + Hex(value);
  }

  // The query includes its "?", and the fragment its "#"; an absent component is empty.
  static string WithoutMark(string text) {
    return text.Length == 0 ? null : text.Substring(1);
  }

  static string NullIfEmpty(string text) {
    return text.Length == 0 ? null : text;
  }

  static string Answer(string text) {
    try {
      var found = new Uri(text, UriKind.Absolute);
      return "+" + Field("scheme", found.Scheme)
          + Field("userinfo", NullIfEmpty(found.UserInfo))
          + Field("host", found.Host)
          + Field("port", found.Port == -1 ? null : found.Port.ToString())
          + Field("path", found.AbsolutePath)
          + Field("query", WithoutMark(found.Query))
          + Field("fragment", WithoutMark(found.Fragment));
    } catch (UriFormatException rejection) {
      return "- " + Hex(rejection.Message);
    } catch (Exception error) {
      return "! " + Hex(error.ToString());
    }
  }

  static void Main() {
    var input = new StreamReader(Console.OpenStandardInput(), Encoding.ASCII);
    var output = new StreamWriter(Console.OpenStandardOutput(), new ASCIIEncoding());
    string line;
    while ((line = input.ReadLine()) != null) {
      var octets = new byte[line.Length / 2];
      for (var i = 0; i < octets.Length; i++)
        octets[i] = Convert.ToByte(line.Substring(2 * i + 1, 2), 16);
      output.Write(Answer(Encoding.UTF8.GetString(octets)) + "\n");
    }
    output.Flush();
  }
}
