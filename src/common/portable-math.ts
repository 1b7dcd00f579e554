/**
 * Elementary functions that give the same bits in every engine. The language leaves `Math.sin` and similar functions to the
 * engine, and engines differ in the last bit (measured: Node 20 against Chromium 156, for sin, cos, tan, asin, acos, atan2, exp
 * and **). That is enough to make two runs of the same seed differ (promise P12). These functions use only + − × ÷ and square
 * roots, which IEEE 754 defines exactly, with the reductions and polynomials of fdlibm (Sun Microsystems 1993, freely
 * distributable). Errors are within about one unit in the last place.
 */

const TWO_OVER_PI = 0.6366197723675814;
/** π / 2 in three parts: products of the first two with whole numbers below 2^20 are exact. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** sin on [−π/4, π/4]. */
function sinKernel(x: number): number {
  const z = x * x;
  const r =
    0.00833333333332249 +
    z * (-0.0001984126982985795 + z * (0.0000027557313707070068 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  return x + z * x * (-0.16666666666666632 + z * r);
}

/** cos on [−π/4, π/4]. */
function cosKernel(x: number): number {
  const z = x * x;
  const r =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (0.00002480158728947673 + z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + z * r);
}

/** x minus `quarters` quarter turns; accurate while |x| stays below about a million radians. */
const reduce = (x: number, quarters: number): number => x - quarters * HALF_PI_1 - quarters * HALF_PI_2 - quarters * HALF_PI_3;

/** Sine of an angle in radians. */
export function sin(x: number): number {
  const quarters = Math.round(x * TWO_OVER_PI);
  const r = quarters === 0 ? x : reduce(x, quarters);
  switch (quarters & 3) {
    case 0:
      return sinKernel(r);
    case 1:
      return cosKernel(r);
    case 2:
      return -sinKernel(r);
    default:
      return -cosKernel(r);
  }
}

/** Cosine of an angle in radians. */
export function cos(x: number): number {
  const quarters = Math.round(x * TWO_OVER_PI);
  const r = quarters === 0 ? x : reduce(x, quarters);
  switch (quarters & 3) {
    case 0:
      return cosKernel(r);
    case 1:
      return -sinKernel(r);
    case 2:
      return -cosKernel(r);
    default:
      return sinKernel(r);
  }
}

/** Tangent of an angle in radians. */
export const tan = (x: number): number => sin(x) / cos(x);

/** atan by fdlibm's four ranges, each shifted to where its polynomial is good. */
function atanPositive(x: number): number {
  if (x < 0.4375) return x - x * atanTail(x);
  if (x < 0.6875) return shiftedAtan(0.4636476090008061, 2.2698777452961687e-17, (2 * x - 1) / (2 + x));
  if (x < 1.1875) return shiftedAtan(0.7853981633974483, 3.061616997868383e-17, (x - 1) / (x + 1));
  if (x < 2.4375) return shiftedAtan(0.982793723247329, 1.3903311031230998e-17, (x - 1.5) / (1 + 1.5 * x));
  return shiftedAtan(1.5707963267948966, 6.123233995736766e-17, -1 / x);
}

const shiftedAtan = (high: number, low: number, t: number): number => high - (t * atanTail(t) - low - t);

function atanTail(t: number): number {
  const z = t * t;
  const w = z * z;
  const odd =
    z *
    (0.3333333333333293 +
      w *
        (0.14285714272503466 +
          w * (0.09090887133436507 + w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
  const even =
    w *
    (-0.19999999999876483 +
      w * (-0.11111110405462356 + w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916))));
  return odd + even;
}

/** Angle of the vector (x, y), radians in [−π, π]; 0 for the zero vector. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (y === 0) return x < 0 || Object.is(x, -0) ? (Object.is(y, -0) ? -Math.PI : Math.PI) : y;
  const slope = Math.abs(y / x);
  const acute = slope === Number.POSITIVE_INFINITY ? Math.PI / 2 : atanPositive(slope);
  const angle = x < 0 ? Math.PI - (acute - 1.2246467991473532e-16) : acute;
  return y < 0 ? -angle : angle;
}

/** Angle whose sine is x, radians; NaN outside [−1, 1]. */
export const asin = (x: number): number => atan2(x, Math.sqrt((1 - x) * (1 + x)));

/** Angle whose cosine is x, radians in [0, π]; NaN outside [−1, 1]. */
export const acos = (x: number): number => atan2(Math.sqrt((1 - x) * (1 + x)), x);

/** e to the power of x. */
export function exp(x: number): number {
  if (x > 709.7) return Number.POSITIVE_INFINITY;
  if (x < -708) return 0;
  const halvings = Math.round(x / Math.LN2);
  const high = x - halvings * LN2_HIGH;
  const low = halvings * LN2_LOW;
  const r = high - low;
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 + t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))));
  let y = 1 - (low - (r * c) / (2 - c) - high);
  // Doubling and halving are exact, and the exponents here are small.
  for (let i = 0; i < halvings; i += 1) y *= 2;
  for (let i = 0; i > halvings; i -= 1) y /= 2;
  return y;
}

/** Length of a vector of two or three components. */
export const hypot = (x: number, y: number, z = 0): number => Math.sqrt(x * x + y * y + z * z);

/** x to the power of a non-negative whole number. */
export function power(x: number, wholeExponent: number): number {
  let product = 1;
  for (let i = 0; i < wholeExponent; i += 1) product *= x;
  return product;
}
