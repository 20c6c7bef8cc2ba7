// Read strings with the Go package net/url; _programs.py describes the input and the output.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// answer returns the line for one string.
func answer(text string) (line string) {
	defer func() {
		if fault := recover(); fault != nil {
			line = "! " + encoded(fmt.Sprint(fault))
		}
	}()
	found, err := url.Parse(text)
	if err != nil {
		var rejection *url.Error
		if errors.As(err, &rejection) {
			return "- " + encoded(err.Error())
		}
		return "! " + encoded(err.Error())
	}
	fields := []string{"+"}
	add := func(name, value string, present bool) {
		if present {
			fields = append(fields, name+"="+encoded(value))
		}
	}
	add("scheme", found.Scheme, found.Scheme != "")
	if found.User != nil {
		user := found.User.Username()
		if password, has := found.User.Password(); has {
			user += ":" + password
		}
		add("userinfo", user, true)
	}
	// Host is the host and the port; Hostname removes the port, and the brackets.
	add("host", found.Hostname(), found.Host != "")
	add("port", found.Port(), found.Port() != "")
	path := found.EscapedPath()
	if found.Opaque != "" {
		path = found.Opaque
	}
	add("path", path, true)
	add("query", found.RawQuery, found.RawQuery != "" || found.ForceQuery)
	add("fragment", found.EscapedFragment(), found.Fragment != "")
	return strings.Join(fields, " ")
}

func encoded(text string) string {
	return hex.EncodeToString([]byte(text))
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		octets, err := hex.DecodeString(strings.TrimSpace(line)[1:])
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(output, answer(string(octets)))
	}
}
