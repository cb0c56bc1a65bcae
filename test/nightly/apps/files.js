// The files of the apps that the nightly checks of frameworks build, and what they look for in them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { succeed } from './run.js'

export const REPOSITORY = resolve(import.meta.dirname, '../../..')

/** The binary of this package, as it was built. */
export const BINARY = join(REPOSITORY, 'dist/cli.js')

/** Packs this package as it would be published, and returns the path of the archive. */
export async function pack(folder) {
  const args = ['npm', 'pack', '--json', '--pack-destination', folder]
  const { output } = await succeed(REPOSITORY, args)
  const [{ filename }] = JSON.parse(/^\[\n[^]*^\]/m.exec(output)[0])
  return join(folder, filename)
}

const MANIFEST = '{ "private": true, "type": "module" }'

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']

/**
 * Installs packages in a folder, also those that need a newer Node. npm asks the registry again: its
 * cache may have an older "latest".
 */
export async function install(root, packages, variables) {
  if (!existsSync(join(root, 'package.json'))) write(root, { 'package.json': MANIFEST })
  const command = ['npm', 'install', ...FLAGS, '--engine-strict=false', ...packages]
  await succeed(root, command, variables)
}

/** Installs a version of Node below a folder, and returns the path of its binary. */
export async function installNode(folder, version) {
  const root = join(folder, `node-${version}`)
  // Called after the system, these packages hold nothing but the binary.
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  await install(root, [`${name}@${version}`])
  return join(root, 'node_modules', name, 'bin/node')
}

/** Writes files by their path in a folder. */
export function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const INSTALLED = new Set(['node_modules', 'package.json', 'package-lock.json'])

/** Removes everything from an app but what is installed. */
export function clear(root) {
  for (const name of readdirSync(root).filter((each) => !INSTALLED.has(each))) {
    rmSync(join(root, name), { recursive: true, force: true })
  }
}

/** The version of an installed package. */
export function versionIn(root, name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** The code in a folder, with the scripts within pages, but not what a page shows. */
export function scriptsIn(folder) {
  const read = (pattern) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => pattern.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  const inline = read(/\.html$/).flatMap((page) =>
    [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text]) => text),
  )
  return [...read(/\.[cm]?js$/), ...inline].join('\n')
}

/** Each version in a lock, with a part of its text that has neither tokens nor quotes. */
export function pinned(lock) {
  const versions = JSON.parse(lock).prompts.flatMap(({ slug, live, staging }) =>
    [live, staging ?? []].flat().map(({ system }) => ({ slug, system })),
  )
  return versions.map(({ slug, system }) => {
    const parts = system.join('\n').split(/["'`\n]|\{\{.*?\}\}/)
    return { slug, part: parts.toSorted((a, b) => b.length - a.length)[0] }
  })
}
