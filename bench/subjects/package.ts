import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cacheFolder } from '../databases/prepare.ts'
import { projectRoot, type Launch } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { serviceLaunch } from './service.ts'

/** Builds the package to be published. @returns its folder */
export function buildPackage(): string {
  const folder = join(cacheFolder, 'package')
  step('building the package')
  execFileSync(process.execPath, ['scripts/build.ts', '--out', folder], { cwd: projectRoot, stdio: 'ignore' })
  return folder
}

/**
 * The package as its users start it.
 * @param root its folder
 */
export function packageLaunch(root: string, databaseUrl: string): Launch {
  return { ...serviceLaunch(databaseUrl, { root }), script: 'bin/workspace-service.cjs', nodeOptions: [] }
}
