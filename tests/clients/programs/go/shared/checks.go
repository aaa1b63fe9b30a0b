package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// toService sends what the client sends to its maker's address to the service instead.
type toService struct{ address *url.URL }

func (to toService) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host = to.address.Scheme, to.address.Host
	request.Host = to.address.Host
	return http.DefaultTransport.RoundTrip(request)
}

func httpClient() *http.Client {
	address, err := url.Parse(os.Getenv("SERVICE"))
	if err != nil {
		panic(err)
	}
	return &http.Client{Transport: toService{address}}
}

type stopped struct{}

// part runs calls that need each other: the first that fails ends the part.
func part(calls func()) {
	defer func() {
		if cause := recover(); cause != nil && cause != (stopped{}) {
			fmt.Printf("not ok the program: %v\n", cause)
		}
	}()
	calls()
}

// call makes one call; expect returns what is wrong with its result, or nothing.
func call[T any](name string, make func() (T, error), expect func(T) string) T {
	result, err := make()
	fault := ""
	if err != nil {
		fault = err.Error()
	} else if expect != nil {
		fault = expect(result)
	}
	if fault != "" {
		fmt.Printf("not ok %s: %s\n", name, strings.ReplaceAll(fault, "\n", " "))
		panic(stopped{})
	}
	fmt.Printf("ok %s\n", name)
	return result
}

// refused makes a call that should fail; expect looks at the error.
func refused(name string, make func() error, expect func(error) bool) {
	err := make()
	if err != nil && expect(err) {
		fmt.Printf("ok %s\n", name)
		return
	}
	fmt.Printf("not ok %s: %v\n", name, err)
	panic(stopped{})
}

// equal says what is wrong where two values differ.
func equal[T comparable](found, expected T) string {
	if found == expected {
		return ""
	}
	return fmt.Sprintf("found %v, expected %v", found, expected)
}
