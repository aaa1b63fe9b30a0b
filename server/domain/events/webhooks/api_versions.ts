import type { WebhookApiVersion } from '../../../../generated/types.ts'

/** The versions of payloads, named after the releases that changed them. */
export const apiVersions: Readonly<Record<WebhookApiVersion, true>> = {
  '2022-06-28': true,
  '2025-09-03': true,
  '2026-03-11': true,
}

/** The version without data sources and views. */
export const OLD_API_VERSION = '2022-06-28' satisfies WebhookApiVersion

export const NEWEST_API_VERSION = '2026-03-11' satisfies WebhookApiVersion
