import type { BrandedValues } from '../contract/branded_values.ts'
import type { ContractValidator } from '../contract/contract_validator.ts'
import type { RateLimiter, FileTerms, Database } from '../domain/shared/index.ts'
import type { ImportTerms, FileVault } from '../domain/files/index.ts'
import type { Receivers } from '../domain/events/index.ts'
import type { KnownDevices } from '../domain/people/index.ts'
import type { SessionFeed } from '../domain/agents/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/cursors.ts'
import type { Admission } from './admission.ts'
import type { Cors } from './cors.ts'
import type { Contexts } from './contexts.ts'
import type { HeaderNames } from './header_names.ts'
import type { Interceptor } from './interceptor.ts'
import type { KeyedRequests } from '../application/keyed_requests.ts'
import type { OpenStreams } from './open_streams.ts'

/** The dependencies of the chain, created once by the composition root. */
export interface Dependencies {
  readonly database: Database
  readonly validator: ContractValidator
  readonly cursors: Cursors
  readonly files: FileTerms & ImportTerms
  readonly vault: FileVault
  readonly receivers: Receivers
  readonly headers: HeaderNames
  /** Undefined without a brand. */
  readonly branded: BrandedValues | undefined
  readonly rateLimiter: RateLimiter
  readonly devices: KnownDevices
  readonly clock: Clock
  readonly keyedRequests: KeyedRequests
  readonly contexts: Contexts
  readonly admission: Admission
  /** The open event streams. They are ended cleanly when the service stops. */
  readonly streams: OpenStreams
  readonly feed: SessionFeed
  readonly streamLimits: StreamLimits
  readonly cors: Cors
  readonly requiresHttps: boolean
  /** Whether writes through the API are recorded in the audit log. */
  readonly auditsWrites: boolean
  readonly interceptor?: Interceptor | undefined
  /** The maximum duration of a request, after which it is aborted. */
  readonly requestMilliseconds: number
  /** The folder of the console, which contains its build in `dist/` or in packed form; undefined if the console is switched off. */
  readonly consoleFolder: string | undefined
  baseUrl(): string
}

interface StreamLimits {
  /** The maximum duration of a stream. */
  readonly secondsMax: number
  readonly heartbeatSeconds: number
}
