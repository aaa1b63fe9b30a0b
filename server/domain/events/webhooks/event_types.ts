import type { WebhookApiVersion, WebhookEvent, WebhookEventType } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { apiVersions, OLD_API_VERSION } from './api_versions.ts'

type VersionsOf<T extends WebhookEventType> = Extract<WebhookEvent, { readonly type: T }>['api_version']
/** The API versions in which an event exists, from the contract. */
type Span<T extends WebhookEventType> = [VersionsOf<T>] extends [typeof OLD_API_VERSION]
  ? 'before data sources'
  : typeof OLD_API_VERSION extends VersionsOf<T>
    ? 'always'
    : 'with data sources'

const spans: { readonly [T in WebhookEventType]: Span<T> } = {
  'page.created': 'always',
  'page.properties_updated': 'always',
  'page.content_updated': 'always',
  'page.moved': 'always',
  'page.deleted': 'always',
  'page.undeleted': 'always',
  'page.locked': 'always',
  'page.unlocked': 'always',
  'page.transcription_block.transcript_deleted': 'always',
  'database.created': 'always',
  'database.content_updated': 'before data sources',
  'database.schema_updated': 'before data sources',
  'database.moved': 'always',
  'database.deleted': 'always',
  'database.undeleted': 'always',
  'data_source.created': 'with data sources',
  'data_source.content_updated': 'with data sources',
  'data_source.schema_updated': 'with data sources',
  'data_source.moved': 'with data sources',
  'data_source.deleted': 'with data sources',
  'data_source.undeleted': 'with data sources',
  'comment.created': 'always',
  'comment.updated': 'always',
  'comment.deleted': 'always',
  'file_upload.created': 'always',
  'file_upload.completed': 'always',
  'file_upload.expired': 'always',
  'file_upload.upload_failed': 'always',
  'view.created': 'with data sources',
  'view.updated': 'with data sources',
  'view.deleted': 'with data sources',
}

/** Whether events of a type exist in a version. */
function existsIn(version: WebhookApiVersion, type: WebhookEventType): boolean {
  const span = spans[type]
  return span === 'always' || (version === OLD_API_VERSION) === (span === 'before data sources')
}

/** The API version of a release date; undefined for dates without changes of payloads. */
export function apiVersionOf(release: string): WebhookApiVersion | undefined {
  return (Object.keys(apiVersions) as WebhookApiVersion[]).find((version) => version === release)
}

/**
 * The types in stored form: sorted and unique.
 * @throws ServiceError `validation_error` for the first that does not exist in the version
 */
export function requireEventTypes(version: WebhookApiVersion, types: readonly WebhookEventType[]): string {
  const wrong = types.findIndex((type) => !existsIn(version, type))
  if (wrong !== -1) throw invalid(`body.event_types[${wrong}]`, absence(version, types[wrong]))
  return JSON.stringify([...new Set(types)].sort())
}

/** Checks that the types of a subscription exist in its new version. @throws ServiceError `validation_error` at `body.api_version` */
export function requireVersionFor(version: WebhookApiVersion, types: readonly WebhookEventType[]): void {
  const wrong = types.find((type) => !existsIn(version, type))
  if (wrong !== undefined)
    throw invalid('body.api_version', `should be a version with all event types of the subscription, but does not have ${wrong}`)
}

function absence(version: WebhookApiVersion, type: WebhookEventType | undefined): string {
  return `should be an event type of API version ${version}, instead was \`${type}\``
}
