import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { firstRoundOnly } from '../tools/once.js'
import { PARAGLIDE, writeParaglideProject } from '../tools/paraglide.js'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, megabytes, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = 'Module and declarations from a lock, whole process'
export const rounds = 3

export async function run({ work, rounds: count }) {
  const rows = []
  for (const prompts of [100, 1000, 10_000]) {
    const root = await work.app(`generate-${prompts}`)
    await writeLock(join(root, 'prompts.lock.json'), makePrompts(prompts))
    await writeParaglideProject(root, makePrompts(prompts), { whole: true })
    const paraglide = () => compile(root)
    const samples = await inTurn(count, {
      paraglide: prompts === 10_000 ? firstRoundOnly(paraglide) : paraglide,
      generate: () => generate(work, root),
    })
    rows.push(...compare(prompts, samples))
  }
  return rows
}

async function generate(work, root) {
  await rm(join(root, 'generated'), { recursive: true, force: true })
  return runNode(work.cli, ['generate', '--out-dir', 'generated'], { cwd: root })
}

/** Paraglide's own compile, without declarations for TypeScript, which are off by default. */
async function compile(root) {
  await rm(join(root, 'paraglide'), { recursive: true, force: true })
  await rm(join(root, 'project.inlang/cache'), { recursive: true, force: true })
  const args = ['compile', '--project', './project.inlang', '--outdir', './paraglide', '--silent']
  return runNode(PARAGLIDE, args, { cwd: root })
}

function compare(prompts, { paraglide, generate: ours }) {
  const against = field(paraglide, 'ms')
  return [
    shown(`${prompts}: Paraglide compile`, against),
    compared(`${prompts}: generate`, field(ours, 'ms'), {
      against,
      ...(prompts === 10_000 ? { most: 0.1 } : {}),
    }),
    shown(`${prompts}: peak memory of Paraglide`, field(paraglide, 'peak'), megabytes),
    shown(`${prompts}: peak memory of generate`, field(ours, 'peak'), megabytes),
  ]
}
