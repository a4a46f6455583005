// Command sdk-generator writes the SDK of a Pulumi package with Pulumi's own code generators:
//
//	sdk-generator LANGUAGE FOLDER < schema.json
//
// LANGUAGE is nodejs, python or go. What FOLDER held before is removed. It does what `pulumi package gen-sdk` does,
// without a language host, so it runs wherever Go does. With the program generators of the same languages it translates
// examples that are written in Pulumi YAML:
//
//	sdk-generator examples < {"schema": {...}, "programs": {NAME: YAML}} > {NAME: {"typescript", "python", "go", "pcl"}}
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// tool is named in the header of each generated file.
const tool = "the Pulumi SDK generator"

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sdk-generator:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) == 1 && args[0] == "examples" {
		return translateAll(stdin, stdout)
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: sdk-generator nodejs|python|go FOLDER < schema.json, or sdk-generator examples < order.json")
	}
	language, folder := args[0], args[1]
	pkg, err := readPackage(stdin)
	if err != nil {
		return err
	}
	files, err := generate(language, pkg)
	if err != nil {
		return err
	}
	return write(folder, files)
}

// readPackage holds the schema to Pulumi's metaschema; every fault in it is an error. It refers to no other package, so
// there is nothing to load.
func readPackage(source io.Reader) (*schema.Package, error) {
	var spec schema.PackageSpec
	decoder := json.NewDecoder(source)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&spec); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return pkg, nil
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	case "python":
		return correctPython(python.GeneratePackage(tool, pkg, nil, nil))
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	default:
		return nil, fmt.Errorf("unknown language %q", language)
	}
}

func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
