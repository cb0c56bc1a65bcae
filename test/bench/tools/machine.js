import { cpus, loadavg, release, totalmem, type } from 'node:os'

/** The machine in one line, with how busy it was when the run began. */
export function describeMachine() {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const [load] = loadavg()
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}`,
    `${memory} GB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `load ${load?.toFixed(1)} at the start`,
  ].join(', ')
}
