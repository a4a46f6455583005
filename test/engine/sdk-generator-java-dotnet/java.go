package main

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// generateJavaProgram corrects what Pulumi's generator writes: it passes plain text to lists whose entries are text or an enum,
// which does not compile.
func generateJavaProgram(program *pcl.Program) (map[string][]byte, hcl.Diagnostics, error) {
	files, faults, err := java.GenerateProgram(program)
	for name, content := range files {
		text := string(content)
		for _, node := range program.Nodes {
			if resource, ok := node.(*pcl.Resource); ok && resource.Schema != nil {
				text = wrapOpenEnums(text, resource)
			}
		}
		files[name] = []byte(text)
	}
	return files, faults, err
}

var literal = regexp.MustCompile(`"[^"]*"`)

func wrapOpenEnums(program string, resource *pcl.Resource) string {
	for _, property := range resource.Schema.InputProperties {
		list, isList := codegen.UnwrapType(property.Type).(*schema.ArrayType)
		if !isList {
			continue
		}
		if _, isUnion := codegen.UnwrapType(list.ElementType).(*schema.UnionType); !isUnion {
			continue
		}
		call := regexp.MustCompile(`\.` + property.Name + `\(\s*"[^"]*"(,\s*"[^"]*")*\)`)
		program = call.ReplaceAllStringFunc(program, func(found string) string {
			return literal.ReplaceAllString(found, "Either.ofLeft($0)")
		})
	}
	const output, either = "import com.pulumi.core.Output;\n", "import com.pulumi.core.Either;\n"
	if strings.Contains(program, "Either.ofLeft(") && !strings.Contains(program, either) {
		program = strings.Replace(program, output, either+output, 1)
	}
	return program
}
