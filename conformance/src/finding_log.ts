import { maskText } from '@workspace-service/server/kernel/masking.ts'
import type { RecordedExchange } from './exchange.ts'
import type { Finding } from './finding.ts'

/** Findings beyond this are only counted. */
const GROUPS_MAX = 1000
const TARGET_LENGTH_MAX = 300
/** Shorter secrets are not masked, because they may be ordinary words. */
const SECRET_LENGTH_MIN = 4
const PLACE_LENGTH_MAX = 300
const TEXT_LENGTH_MAX = 1000

/** One exchange with the finding; it contains no secret and no body. */
export interface FindingSample {
  readonly method: string
  readonly target: string
  readonly version: string | undefined
  readonly status: number
  readonly requestId: string | undefined
}

/** Equal findings, and how many there are. */
export interface FindingGroup extends Finding {
  /** Its name in a baseline. */
  readonly key: string
  readonly count: number
  readonly isAllowed: boolean
  readonly sample: FindingSample
}

/** Findings of a run, grouped by operation, location and keyword; its memory is bounded. */
export class FindingLog {
  readonly #groups = new Map<string, FindingGroup>()
  readonly #allowed: ReadonlySet<string>
  /** Called with each new group. */
  readonly #onNew: (group: FindingGroup) => void
  /** Findings that belong to no group, because there are too many groups. */
  uncounted = 0

  /** @param allowed names of rules, ids of operations or keys of groups that do not count */
  constructor(allowed: readonly string[] = [], onNew: (group: FindingGroup) => void = () => undefined) {
    this.#allowed = new Set(allowed)
    this.#onNew = onNew
  }

  add(findings: readonly Finding[], exchange: RecordedExchange): void {
    for (const finding of findings) {
      const { operation, rule, keyword } = finding
      const place = finding.place.slice(0, PLACE_LENGTH_MAX)
      const key = [operation, rule, place, keyword].join(' ')
      const group = this.#groups.get(key)
      if (group) {
        this.#groups.set(key, { ...group, count: group.count + 1 })
      } else if (this.#groups.size >= GROUPS_MAX) {
        this.uncounted += 1
      } else {
        const isAllowed = [rule, operation, key].some((name) => this.#allowed.has(name))
        const made = {
          ...finding,
          place: masked(place, exchange),
          text: masked(finding.text.slice(0, TEXT_LENGTH_MAX), exchange),
          key,
          count: 1,
          isAllowed,
          sample: sampleOf(exchange),
        }
        this.#groups.set(key, made)
        this.#onNew(made)
      }
    }
  }

  /** Every group, in the order of their operations. */
  get groups(): readonly FindingGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** How many groups count against the maximum of findings. */
  get total(): number {
    return this.groups.filter(({ isAllowed }) => !isAllowed).length + (this.uncounted > 0 ? 1 : 0)
  }
}

function sampleOf(exchange: RecordedExchange): FindingSample {
  const { method, target, requestHeaders, status, responseHeaders } = exchange
  const version = requestHeaders['service-version']
  const requestId = responseHeaders['x-service-request-id']
  return {
    method,
    target: masked(target, exchange).slice(0, TARGET_LENGTH_MAX),
    version: version === undefined ? undefined : masked([version].flat().join(', '), exchange),
    status,
    requestId: requestId === undefined ? undefined : masked([requestId].flat().join(', '), exchange),
  }
}

/** Without the credentials of the request, in any form, and without anything that looks like a secret. */
function masked(text: string, { requestHeaders: { authorization } }: RecordedExchange): string {
  const [scheme = '', credential] = authorization?.split(' ') ?? []
  if (!credential) return maskText(text)
  const parts = /^basic$/i.test(scheme) ? Buffer.from(credential, 'base64').toString().split(':').slice(1) : []
  return maskText(text, { known: [credential, ...parts].filter(({ length }) => length >= SECRET_LENGTH_MIN) })
}
