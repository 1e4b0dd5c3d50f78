package sensitive

// projectSecrets are files of a project in which frameworks keep passwords
// and keys. A name counts only where it says so, or where a framework puts
// them there by convention: source code of a common name is not on the list.
var projectSecrets = []Entry{
	{
		ID: "direnv", Role: Secret | Trigger, Why: "is run on entering the directory, and often sets secrets",
		Patterns: []string{".envrc", ".envrc.*"},
		Except:   []string{".envrc.example", ".envrc.sample", ".envrc.template", ".envrc.dist", ".envrc.md"},
		Hit:      []string{".envrc", "/home/dev/project/.envrc", "services/api/.envrc.local"},
		Miss:     []string{".envrc.example", "/home/dev/project/envrc.md", ".envrc.md", "/home/dev/project/.nvmrc"},
	},
	{
		ID: "php-config", Role: Secret, Why: "holds the database password of a site",
		Patterns: []string{"wp-config*.php", "wp-config.php.*", "LocalSettings.php", "sites/*/settings.php", "sites/*/settings.local.php", "app/etc/env.php", "app/etc/local.xml", "config.inc.php", "app/config/parameters.yml"},
		Except:   []string{"wp-config-sample.php"},
		Hit:      []string{"wp-config.php", "/var/www/html/wp-config.php.bak", "sites/default/settings.php", "app/etc/env.php"},
		Miss:     []string{"wp-config-sample.php", "/home/dev/project/src/DependencyInjection/Configuration.php", "/home/dev/project/src/settings.php"},
	},
	{
		ID: "python-settings", Role: Secret, Why: "holds the settings of one machine, with its passwords",
		Patterns: []string{"local_settings.py", "settings_local.py", "settings_prod.py", "settings_production.py", "settings_secret.py", "prod_settings.py", "production_settings.py", "secret_settings.py",
			"settings/local.py", "settings/prod.py", "settings/production.py", "settings/secret.py", "settings/secrets.py"},
		Hit:  []string{"app/local_settings.py", "/home/dev/project/app/settings/production.py", "settings_prod.py"},
		Miss: []string{"settings.py", "/home/dev/project/app/settings/base.py", "app/settings/test.py", "local.py"},
	},
	{
		ID: "rails-config", Role: Secret, Why: "holds the passwords of a database or the key of a site",
		Patterns: []string{"database.yml", "database.yaml", "master.key"},
		Hit:      []string{"config/database.yml", "/home/dev/project/config/database.yaml", "config/master.key"},
		Miss:     []string{"config/database.yml.example", "config/database.example.yml", "/home/dev/project/internal/database/database.go"},
	},
	{
		ID: "java-config", Role: Secret, Why: "holds the settings of one environment, with its passwords",
		Patterns: []string{"application-prod*.properties", "application-prod*.yml", "application-prod*.yaml", "application-local.properties", "application-local.yml", "application-local.yaml",
			"application-staging.properties", "application-staging.yml", "application-staging.yaml", "application-secret*.properties", "application-secret*.yml", "application-secret*.yaml",
			"bootstrap-prod*.properties", "bootstrap-prod*.yml", "bootstrap-prod*.yaml", "keystore.properties", "key.properties", "signing.properties"},
		Hit:  []string{"src/main/resources/application-prod.properties", "application-production.yml", "android/key.properties"},
		Miss: []string{"src/main/resources/application.properties", "src/test/resources/application-test.yml", "gradle.properties", "android/local.properties"},
	},
	{
		ID: "dotnet-config", Role: Secret, Why: "holds the settings of one environment, with its connection strings",
		Patterns: []string{"appsettings.*.json", "local.settings.json", "connectionStrings.config", "connectionStrings.json", "*.publishsettings", "*.pubxml.user"},
		Except:   []string{"appsettings.schema.json", "appsettings.example.json", "appsettings.sample.json", "appsettings.template.json"},
		Hit:      []string{"appsettings.Production.json", "/home/dev/project/src/Api/appsettings.Development.json", "local.settings.json"},
		Miss:     []string{"appsettings.json", "appsettings.example.json", "/home/dev/project/package.json"},
	},
	{
		ID: "editor-secret", Role: Secret, Why: "holds what an editor keeps for a user, including sessions and tokens",
		Patterns: []string{"state.vscdb", "state.vscdb.backup", "globalStorage/**", "workspaceStorage/**", "c.pwd", "~/.config/JetBrains/*/options/security.xml", "~/Library/Application Support/JetBrains/*/options/security.xml",
			".idea/dataSources.local.xml", ".idea/webServers.xml", "~/.config/sublime-text/Local/**", "~/Library/Application Support/Sublime Text/Local/**"},
		Hit:  []string{"/home/dev/.config/Cursor/User/globalStorage/state.vscdb", "/Users/ann/Library/Application Support/Code/User/globalStorage/storage.json", ".idea/dataSources.local.xml"},
		Miss: []string{"/home/dev/.config/Code/User/settings.json", ".idea/workspace.xml", "/home/dev/project/src/state.vscdb.ts"},
	},
}
