module example.com/digest-interop

go 1.22

require github.com/mongodb-forks/digest v1.1.0
