module example.com/digest-bench

go 1.22

require (
	github.com/icholy/digest v1.2.0
	github.com/mongodb-forks/digest v1.1.0
)
