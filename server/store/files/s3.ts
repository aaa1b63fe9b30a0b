import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Bucket } from '../../kernel/addresses.ts'
import { StorageOutage, type FileStorage } from './storage.ts'

/** The part size of uploads: the smallest that the protocol allows, because a write keeps one part in memory. */
const CHUNK_BYTES = 5 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000

export function openS3Bucket({ bucket, prefix, endpoint, region, credentials }: Bucket): FileStorage {
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials ? { credentials } : {}),
    // Not every S3-compatible service supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: IDLE_TIMEOUT_MS },
  })
  const nameOf = (name: string): { Bucket: string; Key: string } => ({ Bucket: bucket, Key: prefix + name })
  return {
    place: `s3://${bucket}/${prefix}`,
    async write(name, bytes) {
      const source = new Source(bytes)
      const body = Readable.from(source.through(), { objectMode: false })
      const params = { ...nameOf(name), Body: body }
      try {
        await new Upload({ client, params, partSize: CHUNK_BYTES, queueSize: 1 }).done()
      } catch (error) {
        // An error of `bytes` is the cause. The client's own error may only concern its cleanup.
        throw source.error ?? (refusesAccess(error) ? new StorageOutage(error.message, { cause: error }) : error)
      } finally {
        body.destroy()
      }
    },
    async read(name, start, end) {
      const { Body } = await client.send(new GetObjectCommand({ ...nameOf(name), Range: `bytes=${start}-${end}` }))
      if (!(Body instanceof Readable)) throw new Error('the storage responded without a body')
      return Body
    },
    async remove(name) {
      await abandonWrites(client, nameOf(name))
      await client.send(new DeleteObjectCommand(nameOf(name)))
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
      return { freeBytes: undefined }
    },
    removeRemains: async () => undefined,
    close: async () => client.destroy(),
  }
}

/** Whether an error says that the bucket does not exist, or that the credentials are not valid for it. */
function refusesAccess(error: unknown): error is S3ServiceException {
  return error instanceof S3ServiceException && [401, 403, 404].includes(error.$metadata.httpStatusCode ?? 0)
}

/** Passes bytes through and records the error that ended them early. */
class Source {
  readonly #bytes: AsyncIterable<Uint8Array>
  error: unknown

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes
  }

  async *through(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.#bytes
    } catch (error) {
      this.error = error
      throw error
    }
  }
}

/** Aborts the unfinished multipart uploads of an object, whose parts would otherwise stay in the bucket. */
async function abandonWrites(client: S3Client, { Bucket, Key }: { Bucket: string; Key: string }): Promise<void> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key })).catch(unlessUnknown)
  for (const { UploadId, Key: found } of Uploads)
    if (found === Key) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
}

/** Some services cannot list multipart uploads. In that case, a lifecycle rule of the bucket must abort them. */
function unlessUnknown(error: unknown): { readonly Uploads?: undefined } {
  if (error instanceof S3ServiceException && error.name === 'NotImplemented') return {}
  throw error
}
