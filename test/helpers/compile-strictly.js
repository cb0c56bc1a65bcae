import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'

const PACKAGES = resolve(import.meta.dirname, '../../node_modules')

export const COMPILERS = ['typescript', 'typescript-7'].flatMap((path) => [
  { path, resolution: 'bundler' },
  { path, resolution: 'nodenext' },
])

const { OLDER_TYPESCRIPT: older } = process.env

export const ALL_COMPILERS = [
  ...COMPILERS,
  ...(older?.split(delimiter) ?? []).flatMap((path) => [
    { path, resolution: 'bundler' },
    { path, resolution: 'nodenext' },
    { path, resolution: 'node10', skipLibCheck: true },
  ]),
]

export async function compileStrictly(root, compiler) {
  await writeFile(join(root, 'tsconfig.json'), tsconfig(compiler))
  const tsc = resolve(PACKAGES, compiler.path, 'bin/tsc')
  const { failed, said } = await runNode([tsc, '--project', root, '--pretty', 'false'], root)
  const found = said.matchAll(/^(\S.*?)\((\d+),\d+\): (error TS\d+.*)$/gm)
  const refusals = Array.from(found, ([, file, line, text]) => ({ place: `${file}:${line}`, text }))
  if (failed && refusals.length === 0) throw new Error(said)
  return refusals
}

function runNode(args, cwd) {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      done({ failed: error !== null, said: stdout + stderr })
    })
  })
}

/** Kinds of `moduleResolution` that are not kinds of `module`. */
const MODULES = { bundler: 'preserve', node10: 'esnext' }

function tsconfig({ path, resolution, outDir, skipLibCheck = false, preserveSymlinks = false }) {
  const output = { declaration: true, emitDeclarationOnly: true, outDir }
  const isDeprecated = resolution === 'node10' && path === 'typescript'
  const compilerOptions = {
    target: 'es2022',
    // The DOM takes TypeScript 6 most of its time; TypeScript 7 checks it too.
    ...(path === 'typescript' ? { lib: ['es2022'] } : {}),
    module: MODULES[resolution] ?? resolution,
    ...(isDeprecated ? { ignoreDeprecations: '6.0' } : {}),
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    ...(outDir === undefined ? { noEmit: true } : output),
    types: [],
    verbatimModuleSyntax: true,
    skipLibCheck,
    preserveSymlinks,
  }
  return JSON.stringify({ compilerOptions, include: ['*.ts'] })
}

export async function linesMarkedWrong(folder, names) {
  const places = names.map(async (name) => {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
    return lines.flatMap((line, index) =>
      line.endsWith('// error') ? [`${name}:${index + 1}`] : [],
    )
  })
  return (await Promise.all(places)).flat()
}
