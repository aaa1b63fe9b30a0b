/** `workspace-service`: the service embedded in your own program. */
import type { Config } from '../config.ts'
import { composeService } from '../service.ts'

export { ConfigError, parseConfig, type Config, type Environment } from '../config.ts'

export interface RunningService {
  /** The address at which the service listens, without a trailing slash. */
  readonly url: string
  /**
   * The token of the first connection, if this start has generated it: it is shown only once. Undefined if a setting contains the token, or
   * an earlier start generated it.
   */
  readonly newToken: string | undefined
  /** The workspace that the first start on an empty database creates; later starts find it. */
  readonly workspaceId: string | undefined
  /** Reads the certificate and its key again, for future connections. */
  renewTls(): void
  /** Lets requests in flight finish, then closes everything. */
  stop(): Promise<void>
}

/**
 * Starts the service in this process. It does not handle signals: the caller must stop it.
 * @param config from `parseConfig`, for example `parseConfig({ DATABASE_URL: 'sqlite::memory:', PORT: '0' })`
 * @throws Error if the service cannot listen, or the database cannot be used
 */
export async function startService(config: Config): Promise<RunningService> {
  const { url, bootstrapped, renewTls, stop } = await composeService(config)
  return { url, newToken: bootstrapped.newToken, workspaceId: bootstrapped.workspaceId, renewTls, stop }
}
