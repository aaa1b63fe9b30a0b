import type { Response } from '../http/interceptor.ts'

/** Breaks the connection after `bytesMax` bytes of the body; with -1, before the headers are sent. */
export function breakResponse(response: Response, bytesMax: number): void {
  let left = bytesMax
  const write = response.write.bind(response) as (chunk: Buffer, done?: () => void) => boolean
  const send = (chunk: unknown): boolean => {
    if (left < 0) return destroy()
    const bytes = bytesOf(chunk)
    const part = bytes.subarray(0, left)
    left -= part.length
    if (left > 0 || bytes.length === part.length) return part.length === 0 ? true : write(part)
    left = -1
    if (part.length > 0) return write(part, destroy)
    response.flushHeaders()
    return destroy()
  }
  const destroy = (): false => {
    // Deferred, so that data written earlier is sent first.
    setImmediate(() => response.req.socket.destroy())
    return false
  }
  response.write = ((chunk: unknown) => send(chunk)) as typeof response.write
  response.end = ((chunk?: unknown) => {
    if (chunk !== undefined && typeof chunk !== 'function') send(chunk)
    // The body is shorter than `bytesMax`: break the connection at its end.
    left = -1
    destroy()
    return response
  }) as typeof response.end
}

function bytesOf(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  return chunk instanceof Uint8Array ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.alloc(0)
}
