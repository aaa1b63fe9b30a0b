/** Where the pages of this service are, as its links are written. */
export interface SiteAddress {
  /** The path of the service's address: see `basePath`. */
  readonly base: string
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string
}
