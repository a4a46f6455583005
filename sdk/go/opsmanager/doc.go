// Manages projects of MongoDB Ops Manager and Cloud Manager and everyone who can reach them: people, teams and API keys.
package opsmanager
