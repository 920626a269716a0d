//! Short Weierstrass curves.
