module example.com/digest-bench

go 1.22

require github.com/mongodb-forks/digest v1.1.0
