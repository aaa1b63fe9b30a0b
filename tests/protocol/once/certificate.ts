import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: Buffer
}

/** A self-signed certificate for this machine. */
export function makeCertificate(folder: string, name: string, days = 2): Certificate {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-noenc',
      '-days',
      String(days),
      '-subj',
      `/CN=${name}`,
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      keyFile,
      '-out',
      certFile,
    ],
    { stdio: 'ignore' },
  )
  return { certFile, keyFile, cert: readFileSync(certFile) }
}
