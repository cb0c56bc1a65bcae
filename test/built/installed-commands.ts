import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const INSTALLED = ['vite', 'rollup', 'rolldown', 'rsbuild', 'bun', 'vitest', 'jest'] as const
/** TypeScript 7, which checks an app in a sixth of the time of 6. */
export const TSC: string = join(REPOSITORY, 'node_modules/typescript-7/bin/tsc')

/** What a command line of webpack or Rspack does with a configuration that is a default export. */
const compile = (name: string, load: string): string => `
const { default: config } = await import(process.cwd() + '/${name}.config.js')
const compiler = (${load})({ context: process.cwd(), ...config })
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
  compiler.close(() => {})
})
`

/** Command lines that are not installed here, as the calls that they make. */
const STAND_INS: Readonly<Record<string, string>> = {
  webpack: compile('webpack', `(await import('webpack')).default`),
  rspack: compile('rspack', `(await import('@rspack/core')).rspack`),
}

/**
 * Installs the commands of this package and of the bundlers in an app.
 *
 * @returns the folder that holds them
 */
export async function installCommands(root: string): Promise<string> {
  const bin = join(root, 'node_modules/.bin')
  await mkdir(bin)
  await symlink(join(REPOSITORY, 'dist/cli.js'), join(bin, 'prompts'))
  await symlink(TSC, join(bin, 'tsc'))
  for (const name of INSTALLED) {
    await symlink(join(REPOSITORY, 'node_modules/.bin', name), join(bin, name))
  }
  for (const [name, code] of Object.entries(STAND_INS)) {
    const script = join(root, 'node_modules', `${name}-stand-in.mjs`)
    await writeFile(script, code)
    await writeFile(join(bin, name), `#!/bin/sh\nexec node "${script}" "$@"\n`, { mode: 0o755 })
  }
  return bin
}
