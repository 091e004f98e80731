"""Users of the console: passwords, second factors, sign-ins, the identity provider, roles and what each role sees."""
