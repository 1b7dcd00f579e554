// Everything a host needs: the element, its events and its methods.
const robot = document.querySelector('simple-sim');
const state = document.querySelector('#state');
const log = document.querySelector('#log');

robot.addEventListener('state', ({ detail }) => {
  const loading = detail.phase === 'loading' ? ` (${Math.round(detail.loading * 100)} %)` : '';
  state.textContent = `${detail.robot?.name ?? 'The robot'}: ${detail.status || 'waiting for a key'}${loading}`;
});
robot.addEventListener('action', ({ detail }) => {
  if (detail.status === 'running') return;
  const line = document.createElement('li');
  line.textContent = `${detail.name}: ${detail.status}${detail.result?.error ? `. ${detail.result.error.message}` : ''}`;
  log.prepend(line);
});

for (const button of document.querySelectorAll('[data-skill]'))
  button.addEventListener('click', () =>
    attempt(robot.invoke(button.dataset.skill, { target: { kind: 'entity', entity_id: button.dataset.target } })),
  );
for (const button of document.querySelectorAll('[data-view]'))
  button.addEventListener('click', () => attempt(robot.setView({ view: button.dataset.view })));
document.querySelector('#stop').addEventListener('click', () => attempt(robot.stop()));
document.querySelector('#picture').addEventListener('click', async () => {
  const picture = await attempt(robot.capture({ camera: 'pov', width: 640, height: 360 }));
  if (!picture) return;
  const seen = document.querySelector('#seen');
  seen.src = URL.createObjectURL(picture);
  seen.hidden = false;
});

/** A refusal is a sentence: it can be shown as it is. */
async function attempt(asked) {
  try {
    return await asked;
  } catch (error) {
    state.textContent = error.message;
  }
}
