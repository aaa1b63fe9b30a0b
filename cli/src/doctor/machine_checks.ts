import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { operations } from '../../../generated/operations.ts'
import { loadTlsPair } from '@workspace-service/server/config/load_tls_pair.ts'
import { loadContractDocument } from '@workspace-service/server/contract/contract_document.ts'
import { authorityOf } from '@workspace-service/server/kernel/listening_address.ts'
import { ok, problem, freeSpace, skipped, warning, type DoctorFinding, type CheckInput } from './finding.ts'

const CERTIFICATE_WARNING_DAYS = 14
const DAY_MS = 86_400_000
const ANSWER_TIMEOUT_MS = 2_000

/** The version of the runtime; the program does not start on an older one than it supports. */
export async function checkRuntime(): Promise<DoctorFinding> {
  return ok('runtime', `Node.js ${process.versions.node}`)
}

/** Whether the generated files exist and requests can be validated with them. */
export async function checkContract(): Promise<DoctorFinding> {
  const missing = ['openapi.yaml', 'openapi.json', 'openapi.server.json'].filter(
    (name) => !existsSync(new URL(`../../../generated/${name}`, import.meta.url)),
  )
  if (missing.length > 0) return problem('contract', `missing in generated/: ${missing.join(', ')}`, 'Run: npm run generate')
  try {
    const { info } = loadContractDocument()
    const { ContractValidator } = await import('@workspace-service/server/contract/contract_validator.ts')
    new ContractValidator().prepare()
    return ok('contract', `version ${info.version}, ${Object.keys(operations).length} operations`)
  } catch (error) {
    return problem('contract', `it cannot be used: ${reasonOf(error)}`, 'Run: npm run generate')
  }
}

/** Free space for a database that is a file. */
export async function checkDisk({ config }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined) return skipped('disk', 'not checked without valid settings')
  const { database } = config
  if (database.engine !== 'sqlite' || database.path === ':memory:')
    return skipped('disk', 'not checked, because the database is not a file on this machine')
  const folder = nearestFolder(dirname(resolve(database.path)))
  const { bavail, bsize } = await statfs(folder)
  return freeSpace('disk', bavail * bsize, folder)
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

export async function checkCertificate({ config }: CheckInput): Promise<DoctorFinding> {
  const tls = config?.transport.tls
  if (tls === undefined) return skipped('certificate', 'the service does not serve HTTPS itself')
  const { cert } = loadTlsPair(tls)
  const { validTo } = new X509Certificate(cert)
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS)
  if (days < 0) return problem('certificate', `expired on ${validTo}`, 'Renew it, then send the service SIGHUP.')
  const detail = `valid until ${validTo}`
  return days < CERTIFICATE_WARNING_DAYS
    ? warning('certificate', detail, 'Renew it, then send the service SIGHUP.')
    : ok('certificate', detail)
}

/** Whether the service is running at its address; it need not be. */
export async function checkAddress({ config }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined) return skipped('address', 'not checked without valid settings')
  // Health checks work over plain HTTP too, so a certificate for another name does not matter here.
  const url = `http://${authorityOf(config.host, config.port)}`
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    const body: unknown = await response.json()
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
    if (status === 'ready') return ok('address', `the service is running at ${url} and is ready`)
    if (status === 'not ready') return problem('address', `the service is running at ${url}, but is not ready`, 'See its log.')
    return warning('address', `another program is listening at ${url}`, 'Set PORT to another port.')
  } catch (error) {
    if (error instanceof SyntaxError)
      return warning('address', `another program is listening at ${url}`, 'Set PORT to another port.')
    return ok('address', `nothing is listening at ${url}, so the service can`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
