/**
 * Settings of the service that `npm run dev` starts. Environment variables that an operator may set take precedence.
 * @param token one for the whole session, so that requests still work after a restart
 */
export function serviceSettings(environment: NodeJS.ProcessEnv, port: string, token: string): Readonly<Record<string, string>> {
  return {
    PORT: port,
    DATABASE_URL: 'sqlite::memory:',
    FILES_URL: 'file:./data/files',
    BOOTSTRAP_TOKEN: token,
    // Webhook receivers under development run on this machine, too.
    WEBHOOK_PRIVATE_HOSTS: environment['WEBHOOK_PRIVATE_HOSTS'] ?? 'localhost,127.0.0.1,[::1]',
  }
}
