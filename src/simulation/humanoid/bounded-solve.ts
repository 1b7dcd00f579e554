/** Far more passes than five unknowns ever take; it bounds the work, not the result. */
const MAX_PASSES = 16;

/** Unknowns. */
const N = 5;
const _factor = new Float64Array(N * N);
const _right = new Float64Array(N);
/** 0 = free, −1 = held at its lower bound, 1 = at its upper one. */
const _held = new Int8Array(N);

/**
 * Solves A x = b for five unknowns within bounds: x minimises ½ xᵀA x − bᵀx, so that what an unknown at its bound misses is the push
 * of a stop, which never pulls. A primal active-set method for a convex quadratic program (Nocedal and Wright, Numerical
 * Optimization, chapter 16): all unknowns out of their bounds are held there, then the one whose stop pulls hardest is freed. Without a bound
 * in the way this is one Cholesky solution.
 * @param A symmetric, positive definite, row by row
 * @param x receives the solution
 */
export function solveBounded(A: Float64Array, b: Float64Array, low: Float64Array, high: Float64Array, x: Float64Array): void {
  _held.fill(0);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    solveFree(A, b, low, high, x);
    if (!holdViolators(low, high, x) && !releaseOne(A, b, x)) return;
  }
  for (let i = 0; i < N; i += 1) x[i] = Math.max(low[i] as number, Math.min(high[i] as number, x[i] as number));
}

/** Holds every free unknown that is out of its bounds; returns whether there was one. */
function holdViolators(low: Float64Array, high: Float64Array, x: Float64Array): boolean {
  let found = false;
  for (let i = 0; i < N; i += 1) {
    if (_held[i] !== 0) continue;
    if ((x[i] as number) < (low[i] as number)) _held[i] = -1;
    else if ((x[i] as number) > (high[i] as number)) _held[i] = 1;
    else continue;
    found = true;
  }
  return found;
}

/** Frees the unknown whose stop pulls hardest; returns whether there was one. */
function releaseOne(A: Float64Array, b: Float64Array, x: Float64Array): boolean {
  let worst = -1;
  let worstPull = 1e-12;
  for (let i = 0; i < N; i += 1) {
    if (_held[i] === 0) continue;
    let push = -(b[i] as number);
    for (let j = 0; j < N; j += 1) push += (A[i * N + j] as number) * (x[j] as number);
    const pull = (_held[i] as number) * push;
    if (pull <= worstPull) continue;
    worst = i;
    worstPull = pull;
  }
  if (worst >= 0) _held[worst] = 0;
  return worst >= 0;
}

/** Cholesky solution for the free unknowns, the others at their bounds. */
function solveFree(A: Float64Array, b: Float64Array, low: Float64Array, high: Float64Array, x: Float64Array): void {
  for (let i = 0; i < N; i += 1) {
    if (_held[i] !== 0) x[i] = ((_held[i] as number) < 0 ? low[i] : high[i]) as number;
  }
  for (let i = 0; i < N; i += 1) {
    if (_held[i] !== 0) continue;
    let right = b[i] as number;
    for (let j = 0; j < N; j += 1) if (_held[j] !== 0) right -= (A[i * N + j] as number) * (x[j] as number);
    // Row i of the factor, and the forward substitution with it.
    for (let j = 0; j <= i; j += 1) {
      if (_held[j] !== 0) continue;
      let sum = A[i * N + j] as number;
      for (let k = 0; k < j; k += 1) {
        if (_held[k] === 0) sum -= (_factor[i * N + k] as number) * (_factor[j * N + k] as number);
      }
      if (j < i) {
        const entry = sum / (_factor[j * N + j] as number);
        _factor[i * N + j] = entry;
        right -= entry * (_right[j] as number);
      } else _factor[i * N + i] = Math.sqrt(sum);
    }
    _right[i] = right / (_factor[i * N + i] as number);
  }
  for (let i = N - 1; i >= 0; i -= 1) {
    if (_held[i] !== 0) continue;
    let value = _right[i] as number;
    for (let j = i + 1; j < N; j += 1) if (_held[j] === 0) value -= (_factor[j * N + i] as number) * (x[j] as number);
    x[i] = value / (_factor[i * N + i] as number);
  }
}
