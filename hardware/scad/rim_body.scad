// The cross-section that strip holders and lamp bars share: flat against the rim, its face up and outward at 45°.
rim_body_deep = 22;
rim_body_high = 26;

module rim_section() { polygon([[0, 0], [rim_body_deep, 0], [rim_body_deep, 8], [4, rim_body_high], [0, rim_body_high]]); }
// Middle of the slanted face, and into it along z.
module on_face() { translate([0, 13, 17]) rotate([-45, 0, 0]) children(); }
