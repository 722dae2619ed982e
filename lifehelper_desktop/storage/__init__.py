"""The only importer of peewee: database, migrations, backups, one repository per noun, the catalogue."""
