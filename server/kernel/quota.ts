export interface Quota {
  readonly requests: number
  readonly seconds: number
}

export interface RateLimits {
  readonly connection: Quota
  readonly workspace: Quota
}
