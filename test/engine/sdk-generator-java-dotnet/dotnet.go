package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// generateDotnet leaves out the icon of the NuGet package. Pulumi's generator downloads it, and this package has none.
func generateDotnet(pkg *schema.Package) (map[string][]byte, error) {
	http.DefaultTransport = noIcon{}
	files, err := dotnet.GeneratePackage(tool, pkg, nil, nil)
	if err != nil {
		return nil, err
	}
	delete(files, "logo.png")
	for name, content := range files {
		if strings.HasSuffix(name, ".csproj") {
			if len(icon.FindAll(content, -1)) != 2 {
				return nil, fmt.Errorf("%s has no icon: Pulumi's generator writes something else than before", name)
			}
			files[name] = icon.ReplaceAll(content, nil)
		}
	}
	return files, nil
}

var icon = regexp.MustCompile(`(?s) *<PackageIcon>logo.png</PackageIcon>\n|  <ItemGroup>\n    <None Include="logo.png">.*?</ItemGroup>\n\n`)

// noIcon answers each request with an empty file.
type noIcon struct{}

func (noIcon) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(""))}, nil
}
