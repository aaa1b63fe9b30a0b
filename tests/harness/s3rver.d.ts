declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  /** A small S3 server for tests. Its only access key is `S3RVER`, with the same text as secret. */
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
