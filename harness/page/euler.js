// Explicit Euler in its simplest form: forces at the beginning of a step move the mass to its end.
//
// m ü = −m A_t − c u̇ − k u − F_N u/R + P_t + F_T,  m ẅ = −m (g + A_n) − c_n ẇ − k_n w − preload − P_n + R_n.
// Rigid friction is −μ F_N sgn u̇, which is 0 only at u̇ = 0. Penalised friction has the spring and
// the damper of the model. The coefficient of friction is from the model. A rigid contact has no
// force that explicit Euler could use.

const eulerProblem = (settings) =>
  settings.parameters.sliding_direction !== 0
    ? "Explicit Euler does not support sliding in one direction only: choose both for the sliding direction."
    : settings.parameters.stop_upper < 1e30 || settings.parameters.stop_lower > -1e30
    ? "Explicit Euler does not support stops: set stop_lower to -1e30 and stop_upper to 1e30."
    : settings.parameters.normal_law === 2
    ? "Explicit Euler does not support a rigid normal contact: choose prescribed or penalty for the normal law."
    : "";

const explicitEuler = (kernel, result, stepSize) => {
  const { settings, record, startTime, stopTime, outputs } = result;
  const p = settings.parameters;
  const count = Math.round((stopTime - startTime) / stepSize);
  const input = Object.fromEntries(
    Object.keys(result.inputs).map((name) => [name, signalOf(settings, record, name)]),
  );
  const isPrescribed = p.normal_law === 0;
  const isRigid = p.tangential_law === 0;
  const stretchDamping =
    p.tangential_damping < 0
      ? 2 * Math.sqrt(p.mass * (p.stiffness + p.tangential_stiffness))
      : p.tangential_damping;
  const coefficient = kernel.frictionOf(kernel.facts.parameters.map(({ name }) => p[name]));
  const still = Math.max(p.friction_coefficient_static, coefficient(0));
  const depthOf = (work) => (p.wear_time_scale * p.archard_coefficient * work) / p.wear_area;
  let u = p.initial_displacement;
  let v = p.initial_velocity;
  let w = p.start_in_equilibrium ? outputs.gap[0] - p.initial_gap : p.initial_normal_displacement;
  let normalVelocity = p.initial_normal_velocity;
  let stretch = 0;
  let isSliding = v !== 0;
  const work = [0, 0]; // at the lower and at the upper plane
  const kept = Math.max(1, Math.ceil(count / 4000));
  const history = { times: [startTime], wear_work: [0], relative_displacement: [u] };
  const spring = (gap, velocity) =>
    gap < 0 ? Math.max(0, -p.contact_stiffness * gap - p.contact_damping * velocity) : 0;
  for (let i = 0; i < count; ++i) {
    const time = startTime + i * stepSize;
    const acceleration = input.base_acceleration(time);
    const pressing =
      p.mass * (p.gravity + input.base_acceleration_normal(time)) + p.preload + input.normal_load(time);
    let lower = Math.max(0, pressing);
    let upper = 0;
    if (!isPrescribed) {
      const opened = p.wear_feedback ? work.map(depthOf) : [0, 0];
      const gap = p.initial_gap + w;
      lower = spring(gap + opened[0], normalVelocity);
      if (p.obstacle === 1) upper = spring(2 * p.plane_half_spacing - gap + opened[1], -normalVelocity);
    }
    const normalForce = lower + upper;
    let friction = 0;
    let sliding = v;
    if (isRigid) friction = -coefficient(v) * normalForce * Math.sign(v);
    else if (normalForce === 0) {
      stretch = 0;
      sliding = 0;
    } else {
      const trial = -p.tangential_stiffness * stretch - stretchDamping * v;
      const bound = (isSliding ? coefficient(v) : still) * normalForce;
      if (Math.abs(trial) <= bound) {
        friction = trial;
        sliding = 0;
        stretch += stepSize * v;
      } else {
        friction = Math.sign(trial) * coefficient(v) * normalForce;
        const rate = stretchDamping > 0 ? (-friction - p.tangential_stiffness * stretch) / stretchDamping : 0;
        sliding = v - rate;
        stretch = stretchDamping > 0 ? stretch + stepSize * rate : -friction / p.tangential_stiffness;
      }
      isSliding = sliding !== 0;
    }
    work[0] += stepSize * lower * Math.abs(sliding);
    work[1] += stepSize * upper * Math.abs(sliding);
    const curvature = p.pendulum_radius > 0 ? 1 / p.pendulum_radius : 0;
    const change =
      (-p.damping * v - (p.stiffness + normalForce * curvature) * u + input.tangential_load(time) + friction) / p.mass - acceleration;
    u += stepSize * v;
    v += stepSize * change;
    if (!isPrescribed) {
      const pull = -p.normal_damping * normalVelocity - p.normal_stiffness * w - pressing + lower - upper;
      w += stepSize * normalVelocity;
      normalVelocity += (stepSize * pull) / p.mass;
    }
    if ((i + 1) % kept === 0 || i + 1 === count) {
      history.times.push(startTime + (i + 1) * stepSize);
      history.wear_work.push(work[0] + work[1]);
      history.relative_displacement.push(u);
    }
  }
  return { count, stepSize, history, wearWork: work[0] + work[1], displacement: u };
};
