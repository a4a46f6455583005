module example.com/platform

go 1.25.11

require (
	github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)
