/** The artifacts of a session, sorted into plans, patches and outputs. */

const PATCHES = '/home/agent/patches/';

/** @param {any} artifact */
export const isPatch = (artifact) => artifact.mime_type === 'text/x-diff' && artifact.file_path.startsWith(PATCHES);

/**
 * Plans with their iterations, oldest first.
 * @param {any[]} artifacts oldest first
 * @returns {{id: string, name: string, iterations: any[]}[]}
 */
export function plans(artifacts) {
  const found = new Map();
  for (const artifact of artifacts.filter((each) => each.kind === 'plan')) {
    const plan = found.get(artifact.plan_id) ?? { id: artifact.plan_id, name: '', iterations: [] };
    plan.name = artifact.file_name;
    plan.iterations.push(artifact);
    found.set(artifact.plan_id, plan);
  }
  return [...found.values()];
}

/** Files that are neither plans nor patches; of each path the newest. @param {any[]} artifacts oldest first */
export function outputs(artifacts) {
  const newest = new Map();
  for (const artifact of artifacts) {
    if (artifact.kind !== 'plan' && !isPatch(artifact)) newest.set(artifact.file_path, artifact);
  }
  return [...newest.values()].reverse();
}

/**
 * The newest patch of each repository, or what its session says of it.
 * @param {any} session
 * @param {any[]} artifacts oldest first
 * @returns {{key: string, repository: any | null, patch: any | null}[]}
 */
export function changes(session, artifacts) {
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const repositories = session.repositories ?? [];
  if (repositories.length > 0) {
    return repositories.map((repository, at) => ({
      key: `${at}`,
      repository,
      patch: repository.patch_artifact_id ? (byId.get(repository.patch_artifact_id) ?? { id: repository.patch_artifact_id }) : null,
    }));
  }
  const newest = new Map();
  for (const patch of artifacts.filter(isPatch)) newest.set(patch.file_path.replace(/-\d+\.diff$/, ''), patch);
  return [...newest].map(([key, patch]) => ({ key, repository: null, patch }));
}
