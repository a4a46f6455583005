// Manages projects of MongoDB Ops Manager and Cloud Manager: tags, LDAP mappings, people, teams and agent API keys.
package opsmanager
