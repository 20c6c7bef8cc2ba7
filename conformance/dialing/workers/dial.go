// Request strings with net/http. Go programs do not use the C library, so a dialer of the transport
// writes the events of refuse.c.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
)

func refuse(_ context.Context, _, address string) (net.Conn, error) {
	log, err := os.OpenFile(os.Getenv("DIALING_LOG"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	defer log.Close()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := net.DefaultResolver.LookupPort(context.Background(), "tcp", port)
	if err != nil {
		return nil, err
	}
	// A name is not resolved, so it has no address.
	ip := "-"
	if net.ParseIP(host) != nil {
		ip = host
	}
	fmt.Fprintf(log, "lookup %s\nconnect %s %d\n", hex.EncodeToString([]byte(host)), ip, number)
	return nil, errors.New("refused")
}

func main() {
	client := http.Client{Transport: &http.Transport{DialContext: refuse}}
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		octets, err := hex.DecodeString(strings.TrimSpace(line)[1:])
		if err != nil {
			panic(err)
		}
		// Every request fails, because every connection is refused.
		if response, err := client.Get(string(octets)); err == nil {
			response.Body.Close()
		}
		fmt.Println()
	}
}
