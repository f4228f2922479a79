// Animation of the mass on its support, in the frame of the support.

const svgNamespace = "http://www.w3.org/2000/svg";
const sceneWidth = 640;
const ground = 150;
const massWidth = 90;
const massHeight = 56;
const reach = 215; // px from the middle to the largest displacement
const lift = 60; // px of the largest gap
const sceneTop = 18;
const sceneBottom = 180;
const modesInWords = ["in flight", "in stick", "in slip"];

// The gap to the lower plane, if the output is the smaller of two gaps. It is continuous.
const lowerGaps = (gaps, { plane_half_spacing: halfSpacing, initial_gap: start, initial_normal_displacement: w }) => {
  let before = start + w;
  return gaps.map((gap) => {
    const other = 2 * halfSpacing - gap;
    before = Math.abs(gap - before) <= Math.abs(other - before) ? gap : other;
    return before;
  });
};

class Scene {
  constructor(picture, controls) {
    this.picture = picture;
    this.controls = controls; // play, instant, moment, pace, help
    const { play, instant, pace } = controls;
    const part = (name, attributes, parent = picture) => {
      const made = document.createElementNS(svgNamespace, name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      parent.append(made);
      return made;
    };
    part("rect", { x: 0, y: ground, width: sceneWidth, height: 26, class: "scene-support" });
    const top = ground - massHeight - lift;
    this.upper = part("rect", { x: 0, y: top - 14, width: sceneWidth, height: 14, class: "scene-support" });
    part("path", { d: `M${sceneWidth / 2} ${ground}v10`, class: "scene-mark" });
    this.trail = part("rect", { x: 0, y: ground + 6, width: 0, height: 5, class: "scene-trail" });
    this.mass = part("g", {});
    this.body = part("rect", { width: massWidth, height: massHeight, rx: 4, class: "scene-mass" }, this.mass);
    this.friction = part("path", { class: "scene-friction" }, this.mass);
    this.shaking = part("path", { class: "scene-shaking" });
    instant.addEventListener("input", () => this.show(Math.round((Number(instant.value) / 1000) * this.result?.count)));
    play.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    // If the system requests reduced motion, the user moves the time by hand.
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    const follow = () => {
      this.pause();
      play.hidden = this.still.matches;
      pace.hidden = this.still.matches;
      pace.labels[0].hidden = this.still.matches;
    };
    this.still.addEventListener("change", follow);
    follow();
  }

  take(result) {
    const share = this.result ? this.row / this.result.count : 0;
    const { outputs, inputs } = result;
    this.result = result;
    const { normal_law: law, obstacle, plane_half_spacing: halfSpacing } = result.settings.parameters;
    const hasUpper = law !== 0 && obstacle === 1;
    this.heights = hasUpper ? lowerGaps(outputs.gap, result.settings.parameters) : outputs.gap;
    this.largest = {
      displacement: largestOf(outputs.relative_displacement) || 1,
      gap: hasUpper ? 2 * halfSpacing : largestOf(outputs.gap) || 1,
      friction: largestOf(outputs.friction_force) || 1,
      shaking: largestOf(inputs.base_acceleration) || 1,
    };
    // Without a gap, the mass is not lifted.
    const above = largestOf(this.heights) ? sceneTop : ground - massHeight - 14;
    this.picture.setAttribute("viewBox", `0 ${above} ${sceneWidth} ${sceneBottom - above}`);
    this.upper.setAttribute("visibility", hasUpper ? "visible" : "hidden");
    this.controls.help.textContent =
      `In the frame of the support. Largest displacement: ${withUnit(this.largest.displacement, "m")}` +
      (largestOf(this.heights) ? `, largest gap: ${withUnit(largestOf(this.heights), "m")}` : "") +
      ". Arrows: friction on the mass, acceleration of the support.";
    this.show(Math.round(share * result.count));
  }

  show(row) {
    const { result, largest } = this;
    if (!result) return;
    this.row = row;
    const { outputs, inputs, times } = result;
    const mode = outputs.contact_mode[row];
    const middle = sceneWidth / 2 + (reach * outputs.relative_displacement[row]) / largest.displacement;
    const height = Math.max(0, (lift * this.heights[row]) / largest.gap);
    this.mass.setAttribute("transform", `translate(${middle - massWidth / 2} ${ground - massHeight - height})`);
    this.body.dataset.mode = modeColours[mode];
    const arrow = (place, x, y, length) => {
      if (Math.abs(length) < 1) {
        place.removeAttribute("d");
        return;
      }
      const head = Math.sign(length) * Math.min(8, Math.abs(length));
      place.setAttribute("d", `M${x} ${y}h${length}m${-head} -5l${head} 5l${-head} 5`);
    };
    arrow(this.friction, massWidth / 2, massHeight - 10, (70 * outputs.friction_force[row]) / largest.friction);
    arrow(this.shaking, sceneWidth / 2, ground + 18, (120 * inputs.base_acceleration[row]) / largest.shaking);
    const start = Math.min(middle, sceneWidth / 2);
    this.trail.setAttribute("x", start);
    this.trail.setAttribute("width", Math.abs(middle - sceneWidth / 2));
    this.controls.moment.textContent = `${written(times[row], 5)} s, ${modesInWords[mode]}`;
    const { instant } = this.controls;
    instant.value = (1000 * row) / result.count;
    const said = `${written(times[row], 4)} s, ${modesInWords[mode]}, displacement ${withUnit(outputs.relative_displacement[row], "m", 3)}`;
    instant.setAttribute("aria-valuetext", said);
  }

  play() {
    if (!this.result) return;
    const { play, pace } = this.controls;
    play.textContent = "Pause";
    let before = performance.now();
    let time = this.result.times[this.row >= this.result.count ? 0 : this.row];
    const advance = (now) => {
      const { result } = this;
      time += ((now - before) / 1000) * Number(pace.value);
      before = now;
      const row = Math.round((time - result.startTime) / result.stepSize);
      if (row >= result.count) {
        this.show(result.count);
        this.pause();
        return;
      }
      this.show(Math.max(0, row));
      this.timer = requestAnimationFrame(advance);
    };
    this.timer = requestAnimationFrame(advance);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.controls.play.textContent = "Play";
  }
}
