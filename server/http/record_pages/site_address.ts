/** The address of this service, as links on its pages need it. */
export interface SiteAddress {
  /** The path of the service's address: see `basePath`. */
  readonly base: string
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string
}
