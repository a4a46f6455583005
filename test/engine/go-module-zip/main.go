// Writes a Go module as the zip file that module proxies serve, and prints its hash as go.sum has it:
//
//	go run ./go-module-zip MODULE VERSION FOLDER FILE
//
// The zip file depends on paths and contents alone: golang.org/x/mod/zip writes no times and no modes.
package main

import (
	"fmt"
	"os"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

func main() {
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(path, version, folder, file string) (err error) {
	output, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closeError := output.Close(); err == nil {
			err = closeError
		}
	}()
	if err := zip.CreateFromDir(output, module.Version{Path: path, Version: version}, folder); err != nil {
		return err
	}
	hash, err := dirhash.HashZip(file, dirhash.Hash1)
	if err == nil {
		fmt.Println(hash)
	}
	return err
}
