import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ImpactReport } from '../../src/judge/analyse-impact.ts'
import type { UsageReport } from '../../src/judge/analyse-usage.ts'
import type { AppLocation } from '../../src/judge/app.ts'
import { type Files, temporaryFolder } from './temporary-folder.ts'

const RUNTIME = resolve(import.meta.dirname, '../../src/runtime')

/** A folder with an app and the types of this package; it goes with the test. */
export async function appFolder(files: Files): Promise<string> {
  const root = await temporaryFolder(files)
  await installTypes(root)
  return root
}

/** Where the code of such an app is. */
export async function locatedApp(files: Files): Promise<AppLocation> {
  return locationIn(await appFolder(files))
}

export function locationIn(root: string): AppLocation {
  const lockPath = join(root, 'prompts.lock.json')
  return { root, name: 'prompts', lockPath, dts: join(root, 'prompts.d.ts'), environment: 'live' }
}

export async function installTypes(root: string): Promise<void> {
  const installed = join(root, 'node_modules/unplugin-prompts')
  await mkdir(installed, { recursive: true })
  const exports = { './runtime': './runtime/index.ts' }
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'unplugin-prompts', type: 'module', exports }),
  )
  await symlink(RUNTIME, join(installed, 'runtime'))
}

/** The options of a usual app, with the smallest library: reading it is most of a type check's time. */
export const APP_TSCONFIG: string = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    lib: ['es5'],
    module: 'preserve',
    strict: true,
    noEmit: true,
    jsx: 'preserve',
    types: [],
    skipLibCheck: true,
  },
  include: ['src'],
})

/**
 * The lines of an app's files that are marked by a comment at their end, such as
 * `render() // breaks: support-triage`, as `path:line note`.
 */
export function markedLines(files: Readonly<Record<string, string>>, mark: string): string[] {
  const marker = `// ${mark}: `
  return Object.entries(files)
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const at = line.indexOf(marker)
        return at === -1 ? [] : [`${path}:${index + 1} ${line.slice(at + marker.length).trim()}`]
      }),
    )
    .toSorted()
}

/** The lines that an analysis has found, in the same form. */
export function linesOf({ findings }: Pick<ImpactReport, 'findings'>): string[] {
  return findings.map(({ file, line, slug }) => `${file}:${line} ${slug}`).toSorted()
}

/** The prompts that no code uses. */
export function unusedIn({ prompts }: Pick<UsageReport, 'prompts'>): string[] {
  return prompts.filter(({ sites }) => sites.length === 0).map(({ slug }) => slug)
}
