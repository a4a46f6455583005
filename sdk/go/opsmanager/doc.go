// Projects of MongoDB Ops Manager and Cloud Manager, their tags, LDAP mappings and people, declared and kept true.
package opsmanager
